set(engine_fakes_sources
  memory_log.cpp
  memory_state.cpp)

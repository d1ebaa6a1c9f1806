set(wheel_sources system_clock.cpp)

set(file_systems_sources
  faulty_file_system.cpp
  memory_disk.cpp
  memory_file_system.cpp)

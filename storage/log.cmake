set(log_sources system_file_system.cpp)

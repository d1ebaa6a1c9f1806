gnomon_test(frame_test
  SOURCES frame_test.cpp
  LINK gnomon::storage)

gnomon_test(log_test
  SOURCES log_opening_test.cpp log_reader_test.cpp log_test.cpp
  LINK gnomon::storage gnomon_test_support)

gnomon_test(log_fault_test
  SOURCES log_crash_test.cpp log_damage_test.cpp
  LINK gnomon::storage gnomon_test_support)

gnomon_test(file_system_test
  SOURCES file_system_test.cpp
  LINK gnomon::storage gnomon_test_support)

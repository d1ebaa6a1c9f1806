gnomon_test(frame_test
  SOURCES frame_test.cpp
  LINK gnomon::storage)

gnomon_test(log_test
  SOURCES log_opening_test.cpp log_test.cpp
  LINK gnomon::storage gnomon_test_support)

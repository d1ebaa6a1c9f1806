add_library(gnomon_driven_partition STATIC
  driven_partition.cpp
  "${PROJECT_SOURCE_DIR}/tests/engine/probe_processor.cpp")
gnomon_configure(gnomon_driven_partition)
target_include_directories(gnomon_driven_partition
  PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(gnomon_driven_partition
  PUBLIC gnomon::partitions gnomon_test_support GTest::gtest)

foreach(subject due_scan instance_ban recovery stream_processor)
  gnomon_test(${subject}_test
    SOURCES ${subject}_test.cpp
    LINK gnomon_driven_partition)
endforeach()

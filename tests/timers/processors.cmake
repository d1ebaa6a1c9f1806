add_library(fake_partition OBJECT fake_partition.cpp)
gnomon_configure(fake_partition)
target_include_directories(fake_partition PRIVATE "${PROJECT_SOURCE_DIR}")
target_link_libraries(fake_partition PUBLIC gnomon::vocabulary)

gnomon_test(timer_processor_test
  SOURCES
    cancel_timer_test.cpp
    create_timer_test.cpp
    reschedule_timer_test.cpp
    timer_property_test.cpp
    timer_queries_test.cpp
    trigger_timer_test.cpp
  LINK gnomon::timers fake_partition)

add_executable(remote_partition remote_partition.cpp)
gnomon_configure(remote_partition)
target_link_libraries(remote_partition PRIVATE gnomon::actors)

gnomon_test(module_test
  SOURCES concurrent_worker_test.cpp module_test.cpp
  LINK gnomon::actors CAF::openssl)
gnomon_test(durable_restart_test
  SOURCES durable_restart_test.cpp
  LINK gnomon::actors CAF::openssl)
gnomon_test(remote_test
  SOURCES remote_test.cpp
  LINK gnomon::actors gnomon_child_process CAF::openssl)
target_compile_definitions(remote_test PRIVATE
  GNOMON_REMOTE_PARTITION="$<TARGET_FILE:remote_partition>")
add_dependencies(remote_test remote_partition)

add_executable(remote_partition remote_partition.cpp)
gnomon_configure(remote_partition)
target_link_libraries(remote_partition PRIVATE gnomon::actors)

gnomon_test(module_test
  SOURCES module_test.cpp
  LINK gnomon::actors CAF::openssl)
gnomon_test(durable_restart_test
  SOURCES durable_restart_test.cpp
  LINK gnomon::actors CAF::openssl)
gnomon_test(remote_test
  SOURCES child_process.cpp remote_test.cpp
  LINK gnomon::actors CAF::openssl)
target_compile_definitions(remote_test PRIVATE
  GNOMON_REMOTE_PARTITION="$<TARGET_FILE:remote_partition>")
add_dependencies(remote_test remote_partition)

add_executable(timer_loop timer_loop.cpp)
gnomon_configure(timer_loop)
target_link_libraries(timer_loop PRIVATE gnomon::actors)

gnomon_test(kill_loop_test
  SOURCES child_process.cpp kill_loop_test.cpp
  LINK gnomon::actors CAF::openssl)
target_compile_definitions(kill_loop_test PRIVATE
  GNOMON_TIMER_LOOP="$<TARGET_FILE:timer_loop>")
add_dependencies(kill_loop_test timer_loop)

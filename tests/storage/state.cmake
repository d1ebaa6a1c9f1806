add_library(gnomon_state_fixture STATIC state_fixture.cpp)
gnomon_configure(gnomon_state_fixture)
target_include_directories(gnomon_state_fixture PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(gnomon_state_fixture
  PUBLIC gnomon::storage gnomon_test_support)

foreach(subject
    identity lmdb partition_directory snapshot_manifest snapshot_recovery
    snapshot_store stamp state_content state_store)
  gnomon_test(${subject}_test
    SOURCES ${subject}_test.cpp
    LINK gnomon_state_fixture)
endforeach()

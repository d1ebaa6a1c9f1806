# One function gives every library its alias, C++20, warnings and sanitizers.

# Applies the house's compile options to `target`.
function(gnomon_configure target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
  if(GNOMON_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    # GCC 12 warns of copies inside std::string that never happen (its bug
    # 105329).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      target_compile_options(${target} PRIVATE -Wno-error=restrict)
    endif()
  endif()
  if(GNOMON_SANITIZE)
    # GCC 12 sees uninitialised members in std::regex when it instruments: such
    # builds do not treat warnings as errors.
    target_compile_options(${target} PRIVATE
      -fsanitize=${GNOMON_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    # Headers of CAF 0.17 bind a reference to an empty pointer; ASan stops at a
    # real use of one.
    if(GNOMON_SANITIZE MATCHES undefined)
      target_compile_options(${target} PRIVATE -fno-sanitize=null)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${GNOMON_SANITIZE})
  endif()
  if(GNOMON_FUZZ)
    # Everything tells the fuzzers what they reach; only they have its main.
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PUBLIC -fsanitize=fuzzer-no-link)
  endif()
  if(GNOMON_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic)
    target_link_options(${target} PUBLIC --coverage)
  endif()
endfunction()

# gnomon_library(<name> SOURCES ... [DEPENDS ...] [PRIVATE ...])
#
# Adds the static library gnomon_<name> with the alias gnomon::<name>. DEPENDS
# are seen by its users, PRIVATE are not. A library may only include what it
# links, so these edges are the layering of docs/architecture.md.
function(gnomon_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PRIVATE")
  add_library(gnomon_${name} STATIC ${arg_SOURCES})
  add_library(gnomon::${name} ALIAS gnomon_${name})
  set_target_properties(gnomon_${name} PROPERTIES EXPORT_NAME ${name})
  gnomon_configure(gnomon_${name})
  target_include_directories(gnomon_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/rooms/${name}>)
  gnomon_room(${name})
  target_link_libraries(gnomon_${name}
    PUBLIC gnomon::vocabulary ${arg_DEPENDS}
    PRIVATE ${arg_PRIVATE})
  set_property(GLOBAL APPEND PROPERTY GNOMON_LIBRARIES gnomon_${name})
endfunction()

# Offers a folder of the source tree under its own name only: an include of
# "storage/log.hpp" works for those who link gnomon::storage and nobody else.
function(gnomon_room name)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}"
    "${PROJECT_BINARY_DIR}/rooms/${name}/${name}" SYMBOLIC)
endfunction()

# gnomon_test(<name> SOURCES ... LINK ...) adds a GoogleTest program. Its tests
# carry its name as label.
function(gnomon_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  gnomon_configure(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    GNOMON_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data")
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 300 LABELS ${name})
endfunction()

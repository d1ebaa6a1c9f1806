# Install and export; filled by the folders through GNOMON_LIBRARIES.

# What applications link: everything, under the name of the project.
add_library(gnomon INTERFACE)
add_library(gnomon::gnomon ALIAS gnomon)
target_link_libraries(gnomon INTERFACE gnomon::actors)

get_property(_gnomon_libraries GLOBAL PROPERTY GNOMON_LIBRARIES)
set(_gnomon_package "${CMAKE_INSTALL_LIBDIR}/cmake/gnomon")

foreach(_library IN LISTS _gnomon_libraries)
  get_target_property(_header_sets ${_library} INTERFACE_HEADER_SETS)
  set(_files)
  if("HEADERS" IN_LIST _header_sets)
    set(_files FILE_SET HEADERS
      DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
      COMPONENT gnomon_development)
  endif()
  install(TARGETS ${_library}
    EXPORT gnomon
    ARCHIVE
      DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      COMPONENT gnomon_development
    ${_files}
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endforeach()
install(TARGETS gnomon EXPORT gnomon)

install(EXPORT gnomon
  FILE gnomon-targets.cmake
  NAMESPACE gnomon::
  DESTINATION "${_gnomon_package}"
  COMPONENT gnomon_development)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/GnomonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/gnomon-config.cmake"
  INSTALL_DESTINATION "${_gnomon_package}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/gnomon-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/gnomon-config.cmake"
  "${PROJECT_BINARY_DIR}/gnomon-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/GnomonDependencies.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindCAF.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindLMDB.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindxxHash.cmake"
  DESTINATION "${_gnomon_package}"
  COMPONENT gnomon_development)

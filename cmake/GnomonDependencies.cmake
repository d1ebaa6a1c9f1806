# Everything the library needs from outside. See also GnomonConfig.cmake.in.

find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
find_package(absl REQUIRED)
find_package(LMDB REQUIRED)
find_package(xxHash REQUIRED)

# Without it there is no gnomon::endpoint.
find_package(prometheus-cpp CONFIG QUIET)

# CAF 1.x brings a package, Debian's 0.17.6 does not.
find_package(CAF CONFIG QUIET)
if(CAF_FOUND)
  find_package(OpenSSL REQUIRED)
else()
  find_package(CAF REQUIRED COMPONENTS core io openssl)
endif()

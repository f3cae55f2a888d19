# Everything dtpc is linked against, and the reason for each odd step.
find_package(Threads REQUIRED)

# 19.1, not 19: LLVM's version file accepts only the same major.minor.
find_package(LLVM 19.1 REQUIRED CONFIG)
add_library(dtp_llvm INTERFACE)
target_include_directories(dtp_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(dtp_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
# Archives by path. Never the target LLVM: the shared library costs 12 ms at every start. Nor the target LLVMSupport: it
# asks for libz3.so, which has no archive, and of which nothing is used.
foreach(archive LLVMSupport LLVMDemangle z zstd)
  find_library(DTPC_LIB_${archive} lib${archive}.a HINTS ${LLVM_LIBRARY_DIR} REQUIRED)
  target_link_libraries(dtp_llvm INTERFACE ${DTPC_LIB_${archive}})
endforeach()
target_link_libraries(dtp_llvm INTERFACE ${CMAKE_DL_LIBS} m)

# Only fmt's headers are used: one file of base/ holds the implementation.
find_path(DTPC_FMT_INCLUDE fmt/core.h REQUIRED)

# ANTLR 4.10 changed the format of the tables which Debian's tool (4.7.2) writes.
find_package(antlr4-runtime REQUIRED)
if(ANTLR_VERSION VERSION_GREATER_EQUAL 4.10)
  message(FATAL_ERROR "dtpc needs an ANTLR C++ runtime older than 4.10 (found ${ANTLR_VERSION}): "
                      "the antlr4 tool 4.7 to 4.9 writes tables that a newer runtime cannot read.")
endif()
find_program(ANTLR4_TOOL antlr4 REQUIRED)
# The archive by path: the package's own targets ask for -luuid, which nothing here needs.
find_library(ANTLR4_ARCHIVE libantlr4-runtime.a HINTS ${ANTLR4_LIB_DIR} REQUIRED)

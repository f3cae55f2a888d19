# dtp_room(<folder> <deps>...): one folder of compiler/ as one library, dtp_<folder>.
# -Wrestrict: g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651).
set(DTP_WARNINGS -Wall -Wextra -Wpedantic -Werror -Wno-unknown-warning-option -Wshadow -Wnon-virtual-dtor
    -Wno-missing-field-initializers -Wno-restrict)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # libstdc++ 12 calls a function of its own that it has deprecated, in std::stable_sort.
  list(APPEND DTP_WARNINGS -Wno-deprecated-declarations)
endif()

function(dtp_room folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/compiler/${folder}/*.cpp)
  string(REPLACE "/" "_" target dtp_${folder})
  if(NOT sources)
    add_library(${target} INTERFACE)
    return()
  endif()
  add_library(${target} STATIC ${sources})
  # The runtime's config is plain data that emit/ fills: runtime/config/.
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/compiler ${CMAKE_SOURCE_DIR})
  target_include_directories(${target} SYSTEM PUBLIC ${DTPC_FMT_INCLUDE})
  target_compile_options(${target} PRIVATE ${DTP_WARNINGS})
  target_link_libraries(${target} PUBLIC ${ARGN} dtp_llvm)
  # An operation a file, and each file has its own build, run and cost: ops cannot share a unit.
  if(NOT folder STREQUAL "ops")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${DTPC_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

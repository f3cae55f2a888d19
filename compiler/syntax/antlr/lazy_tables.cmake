# ANTLR unpacks its tables before main(), which costs 3.5 million instructions even for
# `dtpc --version`. This turns the static object of the generated class CLASS in OUT into a function
# that the first parse calls, and leaves out the check of tables that the tool has just written.
file(READ ${OUT}/${CLASS}.h header)
file(READ ${OUT}/${CLASS}.cpp source)
string(REPLACE "  static Initializer _init;"
       "public:\n  static void initialize() { static Initializer once; }" lazy_header "${header}")
string(REPLACE "${CLASS}::Initializer ${CLASS}::_init;" "" lazy_source "${source}")
string(REPLACE "atn::ATNDeserializer deserializer;"
       "atn::ATNDeserializationOptions unchecked; unchecked.setVerifyATN(false); atn::ATNDeserializer deserializer(unchecked);"
       quick_source "${lazy_source}")
if(lazy_header STREQUAL header OR lazy_source STREQUAL source OR quick_source STREQUAL lazy_source)
  message(FATAL_ERROR "the code that antlr4 wrote for ${CLASS} is not as expected")
endif()
# Every decision must fall at one token: prediction costs more than all the rest of the parse.
if(source MATCHES "adaptivePredict")
  message(FATAL_ERROR "a decision of the grammar is not LL(1): ${CLASS} calls adaptivePredict")
endif()
file(WRITE ${OUT}/${CLASS}.h "${lazy_header}")
file(WRITE ${OUT}/${CLASS}.cpp "${quick_source}")

// The tokens of the plan language. Words are one token here: compiler/syntax turns a NAME into a keyword, and a NAME
// after a number into UNIT, because only it sees where an item starts. No actions, no modes, no predicates.
lexer grammar DtpLexer;

tokens {
  UNIT,      // the word after a number, with every '/word' that touches it: GiB, GB/s
  SKIPPED,   // stands for text that did not parse; the recovery puts it there
  // reserved words
  AND, OR, NOT, IN, IS, AS, BY, IMPLIES, IF, THEN, ELSE, FOR, REPEAT, CHECKPOINTED, RETURN, LET, FN, REQUIRE, EXPECT,
  ALLOW, BECAUSE, BLAME, SUGGEST, MINIMIZE, MAXIMIZE, CHOOSE, EACH, TRUE, FALSE, NONE, DERIVED, ESTIMATED,
  // words only where a declaration (or a part of a model) starts, names elsewhere
  DTP, IMPORT, FAMILY, DIMENSION, DEFINE_UNIT, TYPE, CHOICE, MODEL, RULE, PLAN, PART
}

NAME    : [A-Za-z_] [A-Za-z0-9_]* ;
PERCENT : DIGITS ('.' DIGITS)? '%' ;
NUMBER  : DIGITS ('.' DIGITS)? ([eE] [+-]? DIGITS)? ;
fragment DIGITS : [0-9] [0-9_]* ;

STRING     : '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' ;
RAW_STRING : '"""' ('"'? '"'? ~["])* '"""' ;

NL      : '\r'? '\n' ;
BLANK   : [ \t]+ ;
COMMENT       : '//' ~[\r\n]* ;
BLOCK_COMMENT : '/*' (~[*] | '*'+ ~[*/])* '*'+ '/' ;

LPAREN : '(' ;  RPAREN : ')' ;
LBRACK : '[' ;  RBRACK : ']' ;
LBRACE : '{' ;  RBRACE : '}' ;
COMMA : ',' ;  DOT : '.' ;  COLON : ':' ;  ASSIGN : '=' ;  ARROW : '->' ;  SEMICOLON : ';' ;
QUESTION : '?' ;  OTHERWISE : '??' ;
CARET : '^' ;  STAR : '*' ;  SLASH : '/' ;  MODULO : '%' ;  PLUS : '+' ;  MINUS : '-' ;
RANGE : '..' ;  RANGE_EXCLUSIVE : '..<' ;
LESS : '<' ;  LESS_EQUAL : '<=' ;  GREATER : '>' ;  GREATER_EQUAL : '>=' ;  EQUAL : '==' ;  NOT_EQUAL : '!=' ;
PIPE : '|>' ;

// Mistakes and the habits of other languages, so that the lexer itself never fails and the message can be to the point.
BAD_STRING        : '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'? ;
BAD_RAW_STRING    : '"""' ('"'? '"'? ~["])* '"'? '"'? ;
BAD_BLOCK_COMMENT : '/*' (~[*] | '*'+ ~[*/])* '*'* ;
SINGLE_QUOTED     : '\'' ~['\r\n]* '\''? ;
HASH_COMMENT      : '#' ~[\r\n]* ;
AND_AND : '&&' ;  OR_OR : '||' ;  BANG : '!' ;
BAD_CHAR : . ;

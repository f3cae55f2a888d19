// The plan language. LL(1): the generated parser holds no adaptivePredict. No actions, no predicates.
// Expressions are flat here (operand, operator, operand ...); compiler/syntax orders them by the table in README.md.
// Newlines that do not end an item never arrive: compiler/syntax/layout.h has the rules.
parser grammar DtpParser;
options { tokenVocab = DtpLexer; }

file           : declaration? (NL declaration?)* EOF ;
// The two entries that the compiler uses: one declaration at a time, and what stands in { } inside a string.
oneDeclaration : declaration EOF ;
oneHole        : expr (COLON UNIT)? EOF ;

declaration
  : DTP NUMBER
  | IMPORT (path | STRING | RAW_STRING) (AS NAME)?
  | letDecl | fnDecl | require | allow
  | FAMILY NAME                                                  // of dimensions: Extent, Money
  | DIMENSION NAME (COLON path | ASSIGN type)?
  | DEFINE_UNIT names (COLON type | ASSIGN headExpr) body?
  | TYPE NAME (ASSIGN type | (COLON path)? typeBody)
  | CHOICE NAME choiceBody
  | MODEL NAME params? modelBody
  | RULE NAME params ruleBlock
  | PLAN NAME (ASSIGN expr | body)
  | SKIPPED
  ;

separator : NL | COMMA ;
path      : NAME (DOT NAME)* ;
names     : NAME (COMMA NAME)* ;
letDecl   : LET NAME (COLON type)? ASSIGN expr ;
fnDecl    : FN NAME params (ARROW type)? (ASSIGN expr)? ;        // no body: a function of a type, still to be given
require   : (REQUIRE | EXPECT) expr (COLON expr)? (ELSE expr)? (BLAME path)? suggest* ;
suggest   : SUGGEST path ASSIGN expr ;
goal      : (MINIMIZE | MAXIMIZE) expr ;
allow     : ALLOW path BECAUSE (STRING | RAW_STRING) ;

// records, plans, maps, amendments: one shape
body      : LBRACE item? (separator item?)* RBRACE ;
item      : letDecl | fnDecl | require | goal | allow | field | SKIPPED ;
field     : key (ASSIGN expr | COLON expr | body) ;              // set, map entry, amend in place
key       : path | STRING | RAW_STRING | NUMBER ;

// types
typeBody   : LBRACE typeItem? (separator typeItem?)* RBRACE ;
typeItem   : letDecl | fnDecl | require | typeField | SKIPPED ;
typeField  : (DERIVED | ESTIMATED)? NAME (COLON type)? (ASSIGN expr)? ;   // no type: a new default
choiceBody : LBRACE choiceItem? (separator choiceItem?)* RBRACE ;
choiceItem : NAME (params | COLON type (ASSIGN expr)?)? | SKIPPED ;       // a case, or a field common to all cases
params     : LPAREN (param (COMMA param?)*)? RPAREN ;
param      : NAME (COLON type)? (ASSIGN expr)? | SKIPPED ;
type       : typeTerm ((STAR | SLASH) typeTerm)* ;
typeTerm   : (path typeArgs? dims? | dims | LPAREN typeElement (COMMA typeElement)* RPAREN | SKIPPED) QUESTION? ;
typeElement: type (COLON type)? ;                                // (mean: [B, 4]): left of ':' a bare name
typeArgs   : LPAREN typeArg (COMMA typeArg)* RPAREN ;
typeArg    : type | MINUS? (NUMBER UNIT? | PERCENT) (RANGE | RANGE_EXCLUSIVE) expr? ;
dims       : LBRACK (expr (COMMA expr?)*)? RBRACK ;              // [] is a scalar

// models
modelBody : LBRACE modelItem? (separator modelItem?)* RBRACE ;
modelItem : PART NAME ASSIGN expr | letDecl | require | method | SKIPPED ;
method    : NAME params ARROW type block ;
block     : LBRACE statement? (endOfStatement statement?)* RBRACE ;
endOfStatement : NL | SEMICOLON ;
statement
  : names ASSIGN expr
  | RETURN expr (COMMA expr)*
  | REPEAT headExpr loopName? CHECKPOINTED? block
  | FOR names IN headExpr loopName? CHECKPOINTED? block
  | ifStatement | require | SKIPPED
  ;
ifStatement : IF headExpr block (ELSE (block | ifStatement))? ;
loopName  : AS (NAME | STRING | RAW_STRING) ;

// rules
ruleBlock : LBRACE ruleItem? (endOfStatement ruleItem?)* RBRACE ;
ruleItem
  : letDecl | require
  | NAME ASSIGN expr
  | FOR names IN headExpr ruleBlock
  | ruleIf | SKIPPED
  ;
ruleIf    : IF headExpr ruleBlock (ELSE (ruleBlock | ruleIf))? ;

// expressions
expr      : IF expr THEN expr ELSE expr
          | (CHOOSE | EACH) expr                                 // the solver takes one; a sweep runs them all
          | operand (binaryOperator operand | (RANGE | RANGE_EXCLUSIVE) upperBound?)* ;
operand   : (MINUS | NOT)* primary suffix* ;
upperBound: primary suffix* ;                                    // left out: an open range
primary   : atom | body ;
suffix    : DOT (NAME | STAR) | call | index | body | AS (NAME | STRING | RAW_STRING) ;
binaryOperator
          : CARET | STAR | SLASH | MODULO | PLUS | MINUS | BY | OTHERWISE
          | LESS | LESS_EQUAL | GREATER | GREATER_EQUAL | EQUAL | NOT_EQUAL | IN | IS
          | AND | OR | IMPLIES | PIPE ;
atom      : NUMBER UNIT? | PERCENT | STRING | RAW_STRING | TRUE | FALSE | NONE | QUESTION | NAME
          | LPAREN expr RPAREN | list | SKIPPED ;
list      : LBRACK (expr (comprehension | (COMMA expr?)+)?)? RBRACK ;
call      : LPAREN (argument (comprehension | (COMMA argument?)+)?)? RPAREN ;
argument  : expr (ASSIGN expr)? ;                                // left of '=' a bare name
index     : LBRACK expr (COMMA expr)* RBRACK ;
comprehension : (FOR names IN expr)+ (IF expr)? ;

// The head of repeat, for and if: the same without { } outside brackets, so that the block can start.
headExpr    : headOperand (binaryOperator headOperand | (RANGE | RANGE_EXCLUSIVE) headBound?)* ;
headOperand : (MINUS | NOT)* atom headSuffix* ;
headBound   : atom headSuffix* ;
headSuffix  : DOT (NAME | STAR) | call | index ;

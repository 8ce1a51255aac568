// Start here.
//
// An `Environment` says what an expression may name: variables with their types, functions, options. It compiles a source
// text into a `Program` (lexer and parser, checker, plan), and a program is evaluated against an `Activation`, the values
// of those variables. Nothing here does I/O or knows what the values stand for.

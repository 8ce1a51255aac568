// Start here.
//
// An `Environment` says what an expression may name: variables with their types, functions, options. It compiles a source
// text into a `Program` (lexer and parser, checker, plan), and a program is evaluated against an `Activation`, the values
// of those variables. A program also says how many steps it may take (`estimatedSteps`) and how it came to a value (`trace`).
// Nothing here does I/O or knows what the values stand for.

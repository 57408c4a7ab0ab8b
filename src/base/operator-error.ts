/** An error whose message says all that an operator needs. The stack of any other error is printed with it. */
export class OperatorError extends Error {}

/**
 * The permissions that the code of an operator needs, read from its types: each call of a method of a client is found by the declaration
 * that it means, its kind by the type of the argument, and where a client comes from by the calls of the functions that take it. What cannot
 * be followed is a finding with its place and the ways out, never a guess. Asks for types only where the names in the syntax give a reason.
 */
export { inferRules, type InferredRules } from './infer-rules.ts';

/** The conditions in an object's status. */
export { setCondition, type ConditionInput } from './set-condition.ts';

/** Random objects of built-in kinds: mostly valid, and with faults. */
export { randomOfKind } from './generate.ts';
export { withFaults } from './faults.ts';
export { withLegalChange } from './legal-changes.ts';

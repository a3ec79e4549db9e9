import type { ChangeCode } from '../../../src/kubernetes/crd/diff/change-codes.ts';

/** What op-sdk calls compatible and crdify, by default, an error: on purpose. */
export interface WantedDifference {
  /** The validation of crdify. */
  readonly validation: string;
  readonly code: ChangeCode;
  readonly why: string;
}

/** A project that wants crdify's verdicts counts these codes as breaking. */
export const wantedDifferences: readonly WantedDifference[] = [
  {
    validation: 'default',
    code: 'default-added',
    why: 'objects without the field are as valid as before, and readers get a value where they had none',
  },
  {
    validation: 'description',
    code: 'documentation',
    why: 'whether the meaning changed with the text is for the reviewer of the text',
  },
  {
    validation: 'enum',
    code: 'enum-value-added',
    why: 'every object stays valid; whether clients cope with a value that they do not know depends on the API',
  },
  {
    validation: 'nullable',
    code: 'nullable-added',
    why: 'every object stays valid; null appears only where somebody writes it',
  },
  {
    validation: 'pattern',
    code: 'pattern-removed',
    why: 'every object stays valid',
  },
  {
    validation: 'required',
    code: 'required-added-with-default',
    why: 'where the field is missing the API server puts its default, so that nothing is refused',
  },
];

import type { WriteOptions } from '../types.ts';
import type { Query } from './resource-path.ts';

/** The parameters of every write. */
export function writeQuery(options: WriteOptions, fieldManager: string): Query {
  return {
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation ?? 'Strict',
    dryRun: options.dryRun === true ? 'All' : undefined,
  };
}

import type { GeneratedSchema, KindDescriptors, ResourceAllows } from '../../schema/index.ts';
import type { KindWithSchema } from './kind-version.ts';

/** A declaration with its schema, and what its author allows. */
export interface DeclaredVersion extends KindWithSchema {
  /** Only if places were asked for: see `GeneratedSchema`. */
  readonly placeOf: GeneratedSchema['placeOf'];
  /** Descriptors of its fields for user interfaces; none if the interface was not read. */
  readonly descriptors?: Omit<KindDescriptors, 'tags'>;
  readonly allows: ResourceAllows;
  /** True if nothing was wrong with the interface: against an incomplete schema, paths would lead nowhere for no fault of theirs. */
  readonly hasSchema: boolean;
}

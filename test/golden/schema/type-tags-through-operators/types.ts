import type { CustomResource, Int32 } from 'opsdk';

/**
 * A port.
 *
 * @minimum 1
 * @maximum 65535
 */
type Port = Int32;

/** @pattern ^[a-z]+$ */
type Name = string;

interface Base {
  /** Where it listens. */
  port: Port;
  /** @maxLength 63 */
  name?: Name;
  names: Name[];
}

type Picked = Pick<Base, 'port'>;

export interface Sample extends CustomResource {
  spec: {
    pick: Pick<Base, 'name' | 'port'>;
    omit: Omit<Base, 'port'>;
    partial: Partial<Base>;
    required: Required<Base>;
    readonly: Readonly<Base>;
    alias: Picked;
    access: Base['name'];
    item: Base['names'][number];
    record: Record<string, Port>;
    mapped: { [K in 'x' | 'y']: Port };
    conditional: Port extends number ? Name : never;
    exclude: Exclude<Name | null, null>;
  };
}

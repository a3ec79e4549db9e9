import type { CustomResource, Int32, Int64 } from 'opsdk';

interface Small {
  small: string;
  size: Int32;
  /** @minimum 1 */
  tagged?: Int32;
  /** One thing. */
  described?: string;
  optional?: string;
  nested: { a: string };
}

interface Large {
  large: string;
  size: Int64;
  tagged?: Int32;
  /** Another thing. */
  described?: string;
  optional: string;
  nested: { b: string };
}

interface Open {
  type: 'open';
  size: string;
}

interface Closed {
  type: string;
  name: string;
}

export interface Sample extends CustomResource {
  spec: {
    size: Small | Large;
    discriminator: Open | Closed;
    nullable: { a: string; c: string } | { b: string; c: string | null };
  };
}

import type { CustomResource, Double } from 'opsdk';

/** @allow schema/float All of these are measured. */
interface Inside {
  a?: Double;
  deeper?: { b?: Double[] };
}

export interface Sample extends CustomResource {
  spec: {
    /**
     * @allow schema/unit The unit is told by the field beside it.
     * @allow schema/float
     * A reason on a line of its own.
     */
    timeout?: Double;
    inside?: Inside;
    /** @allow schema/map-of-objects Keyed by node, as the scheduler does it. */
    nodes?: Record<string, { zone: string }>;
  };
}

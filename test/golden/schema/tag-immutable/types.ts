import type { CustomResource } from 'opsdk';

/** @immutable */
type Fixed = string;

export interface Sample extends CustomResource {
  spec: {
    /** @immutable */
    text?: string;
    /** @immutable */
    list?: string[];
    /**
     * @maxProperties 10
     * @values.maxLength 10
     * @values.immutable
     */
    values?: Record<string, string>;
    fixed?: Fixed;
    /** @immutable */
    twice?: Fixed;
  };
}

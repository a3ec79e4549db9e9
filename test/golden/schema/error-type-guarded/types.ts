import type { CustomResource } from 'opsdk';

declare const unique: unique symbol;

/** What the generator takes for something else is found by comparing with the type checker. */
export interface Sample extends CustomResource {
  spec: {
    '"quoted"': string;
    unique: typeof unique;
    openNames: Record<'a' | (string & {}), string>;
  };
}

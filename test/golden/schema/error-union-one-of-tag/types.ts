import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @oneOf [{"required": ["a"]}] */
    tag: { a: string } | { b: string };
    /** @k8s {"oneOf": [{"required": ["a"]}]} */
    escape: { a: string } | { b: string };
    /** @allOf [{"required": ["a"]}] */
    fine: { a: string } | { b: string };
  };
}

import type { CustomResource } from 'opsdk';

/** @default {} */
interface Base extends CustomResource {
  data?: string;
}

/**
 * @nullable
 * @k8s {"anyOf": [{"required": ["spec"]}], "title": "fine"}
 */
export interface Sample extends Base {
  spec?: { items: (string | undefined)[] };
}

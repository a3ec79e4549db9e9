import type { CustomResource } from 'opsdk';

/** @oneOf [{"required": ["spec"]}, {"required": ["data"]}] */
export interface Sample extends CustomResource {
  spec?: { a?: string };
  data?: string;
}

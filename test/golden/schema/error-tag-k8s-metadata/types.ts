import type { CustomResource } from 'opsdk';

/** @k8s {"properties": {"metadata": {"type": "object", "properties": {"labels": {"type": "object"}}}}} */
export interface Sample extends CustomResource {
  spec: { a?: string };
}

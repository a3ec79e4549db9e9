import type { CustomResource, Int32 } from 'opsdk';

type Clash = { size: string } | { size: Int32 };

export interface Sample extends CustomResource {
  spec: {
    /** @k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true} */
    clash: Clash;
    /** @k8s {"minProperties": 1} */
    merged: { a: string } | { b: string };
  };
}

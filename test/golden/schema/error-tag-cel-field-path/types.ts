import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** @cel {"rule": "self.a != ''", "fieldPath": ".b"} */
    a?: { a: string };
    /** @cel {"rule": "self.a != ''", "fieldPath": "a"} */
    b?: { a: string };
    /** @cel {"rule": "self.a.size() > 0", "fieldPath": ".a[0]"} */
    c?: { a: string[] };
    /** @cel {"rule": "self != ''", "fieldPath": ".x"} */
    d?: string;
    /** @items.cel {"rule": "self.a != ''", "fieldPath": ".b"} */
    e?: { a: string }[];
    /** @cel {"rule": "self.a != ''", "fieldPath": " "} */
    f?: { a: string };
  };
}

import type { CustomResource } from 'opsdk';

interface Tree {
  name: string;
  children?: Tree[];
}

interface Left {
  right?: Right;
}

interface Right {
  left?: Left;
}

type Nested = { [key: string]: Nested };

interface Growing<T> {
  next?: Growing<T[]>;
}

interface Self {
  self?: this;
}

interface Cut {
  /** @k8s {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}} */
  children?: Cut[];
}

export interface Sample extends CustomResource {
  spec: { tree: Tree; left: Left; nested: Nested; growing: Growing<string>; self: Self; cut: Cut };
}

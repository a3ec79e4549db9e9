import type { CustomResource } from 'opsdk';

interface Tree {
  name: string;
  /**
   * Below it.
   *
   * @k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}
   */
  child?: Tree;
  /** @k8s {"type": "array", "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}} */
  children?: Tree[];
}

/** Twice the same type is no recursion. */
interface Pair {
  left: Leaf;
  right: Leaf;
}

interface Leaf {
  value: string;
}

export interface Sample extends CustomResource {
  spec: { tree: Tree; pair: Pair };
}

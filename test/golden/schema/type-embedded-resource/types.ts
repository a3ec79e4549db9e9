import type { CustomResource, EmbeddedResource, Int32, KubeObject } from 'opsdk';
import type { ConfigMap } from 'opsdk/k8s/core/v1';

interface Widget extends CustomResource {
  spec: {
    /** @printerColumn */
    size: Int32;
  };
}

/** A widget with its own kind. */
interface Gadget extends CustomResource {
  /** Always the same. */
  kind: 'Gadget';
  data?: Record<string, string>;
}

/** Not a resource of ours, but one on the wire. */
interface Foreign {
  apiVersion: string;
  kind: string;
  spec?: string;
}

export interface Sample extends CustomResource {
  spec: {
    /** Any object. */
    any: EmbeddedResource;
    base?: EmbeddedResource<KubeObject>;
    objects?: EmbeddedResource[];
    widget?: EmbeddedResource<Widget>;
    gadget: EmbeddedResource<Gadget> | null;
    foreign?: EmbeddedResource<Foreign>;
    builtIn?: EmbeddedResource<ConfigMap>;
  };
}

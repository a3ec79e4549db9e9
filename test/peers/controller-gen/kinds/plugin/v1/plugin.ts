import {
  defineResource,
  type AtomicList,
  type CustomResource,
  type EmbeddedResource,
  type IntOrString,
  type Json,
  type RawExtension,
} from 'opsdk';

/**
 * Open objects keep what they are given.
 *
 * @preserveUnknownFields
 */
export interface Open {
  /** Known field. */
  known?: string;
}

/** PluginSpec defines the desired state of Plugin. */
export interface PluginSpec {
  /** Config of the plugin. */
  config?: Json;

  /** Extension of the plugin. */
  extension?: RawExtension;

  /** Object that the plugin makes. */
  object?: EmbeddedResource;

  /** Objects that the plugin makes too. */
  objects?: AtomicList<EmbeddedResource>;

  /** Open keeps what it is given. */
  open?: Open;

  /** Values by name, of any kind. */
  values?: Record<string, Json>;

  /** Free has no schema but this. */
  free?: Json;

  /**
   * Number or text.
   *
   * @k8s {"x-kubernetes-int-or-string": true}
   */
  number?: IntOrString;
}

/**
 * Plugin is the Schema for the plugins API.
 *
 * @preserveUnknownFields
 */
export interface Plugin extends CustomResource {
  /** Spec of the plugin. */
  spec?: PluginSpec;

  /** Status of the plugin. */
  status?: RawExtension;
}

export const Plugin = defineResource<Plugin>({
  group: 'ext.peers.example.com',
  version: 'v1',
  kind: 'Plugin',
});

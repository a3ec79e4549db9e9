import { defineResource, type CustomResource, type Float, type Int32, type Int64, type ListSet } from 'opsdk';

/**
 * Level of the log.
 *
 * @default info
 */
export type Level = 'debug' | 'info' | 'error';

/**
 * Size of a page.
 *
 * @format int32
 */
export type PageSize = 10 | 20 | 50;

/** Proxy settings. */
export interface Proxy {
  /** Host of the proxy. */
  host: string;

  /**
   * Port of the proxy.
   *
   * @default 3128
   */
  port?: Int32;
}

/** Cache settings. */
export interface Cache {
  /**
   * Seconds that an entry lives.
   *
   * @default 60
   * @allow schema/int64-maximum a cache lives for hours
   */
  seconds?: Int64;
}

/** SettingsSpec defines the desired state of Settings. */
export interface SettingsSpec {
  /** Level of the log. */
  level?: Level;

  /**
   * PageSize of lists.
   *
   * @default 20
   */
  pageSize?: PageSize;

  /**
   * Title that is shown.
   *
   * @default 12
   * @example "Fleet"
   * @title The title
   * @maxLength 40
   */
  title?: string;

  /**
   * Empty is a default too.
   *
   * @default ""
   */
  empty?: string;

  /**
   * Verbose is off.
   *
   * @default false
   */
  verbose?: boolean;

  /**
   * Ratio of sampled requests.
   *
   * @default 0.5
   * @minimum 0
   * @maximum 1
   * @allow schema/float a ratio is not compared
   */
  ratio?: Float;

  /**
   * Step of the ratio.
   *
   * @multipleOf 0.25
   * @allow schema/float quarters are exact
   */
  step?: Float;

  /**
   * Hosts that are served.
   *
   * @default ["localhost", "example.com"]
   */
  hosts?: ListSet<string>;

  /**
   * Labels that are added.
   *
   * @default {"app": "settings"}
   */
  labels?: Record<string, string>;

  /**
   * Proxy that is used.
   *
   * @default {"host": "proxy.example.com"}
   */
  proxy?: Proxy;

  /**
   * Cache has defaults of its own.
   *
   * @default {}
   */
  cache?: Cache;

  /** Nickname can be taken away. */
  nickname?: string | null;

  /**
   * Limits can be null.
   *
   * @minProperties 1
   * @maxProperties 4
   */
  limits: Record<string, Int32> | null;

  /**
   * Manual of the setting.
   *
   * @externalDocs https://example.com/manual The manual
   */
  manual?: string;
}

/** Settings is the Schema for the settings API. */
export interface Settings extends CustomResource {
  /** Spec of the settings. */
  spec?: SettingsSpec;
}

export const Settings = defineResource<Settings>({
  group: 'config.peers.example.com',
  version: 'v1',
  kind: 'Settings',
  plural: 'settings',
  singular: 'setting',
});

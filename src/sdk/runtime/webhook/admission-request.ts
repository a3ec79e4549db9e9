import type { UserInfo } from '../../k8s/generated/authentication/v1.ts';

/** Operation on the object. `CONNECT` is not supported. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** A request to the API server, without its objects. Names and meanings: admission/v1 `AdmissionRequest`. */
export interface AdmissionRequest {
  /** Names this question to the webhook in the logs of both sides. */
  readonly uid: string;
  /** Operation on the object. */
  readonly operation: AdmissionOperation;
  /** Type of the object, as the webhook gets it. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same type, as it is in URLs. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Such as `status`; absent for the object itself. */
  readonly subResource?: string;
  /** As the client asked, if the API server had to convert the object for the webhook (`matchPolicy: Equivalent`). */
  readonly requestKind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** The same, as it is in URLs. */
  readonly requestResource?: { readonly group: string; readonly version: string; readonly resource: string };
  /** As the client asked; absent for the object itself. */
  readonly requestSubResource?: string;
  /** Absent while the API server has yet to make it from `generateName`. */
  readonly name?: string;
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string;
  /** User of the request. */
  readonly userInfo: UserInfo;
  /** True: nothing will be stored, so nothing else may be changed either. */
  readonly dryRun: boolean;
  /** The options of the operation, such as `CreateOptions`. */
  readonly options?: Readonly<Record<string, unknown>>;
}

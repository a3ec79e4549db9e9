// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes 1.37. Do not edit.
import type * as core_v1 from '../core/v1.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { DateTime, Int32 } from '../../../api/types.ts';
import { externalResource, type Resource } from '../../../api/resource.ts';

/** Event is a report of an event somewhere in the cluster. */
export interface Event extends KubeObject<'events.k8s.io/v1', 'Event'> {
  /** action is what action was taken/failed regarding to the regarding object. */
  action?: string | undefined;
  /** deprecatedCount is the deprecated field assuring backward compatibility with core.v1 Event type. */
  deprecatedCount?: Int32 | undefined;
  /** deprecatedFirstTimestamp is the deprecated field assuring backward compatibility with core.v1 Event type. */
  deprecatedFirstTimestamp?: DateTime | undefined;
  /** deprecatedLastTimestamp is the deprecated field assuring backward compatibility with core.v1 Event type. */
  deprecatedLastTimestamp?: DateTime | undefined;
  /** deprecatedSource is the deprecated field assuring backward compatibility with core.v1 Event type. */
  deprecatedSource?: core_v1.EventSource | undefined;
  /** eventTime is the time when this Event was first observed. */
  eventTime: DateTime;
  /** note is a human-readable description of the status of this operation. */
  note?: string | undefined;
  /** reason is why the action was taken. */
  reason?: string | undefined;
  /** regarding contains the object this Event is about. */
  regarding?: core_v1.ObjectReference | undefined;
  /** related is the optional secondary object for more complex actions. */
  related?: core_v1.ObjectReference | undefined;
  /** reportingController is the name of the controller that emitted this Event, e.g. `kubernetes.io/kubelet`. */
  reportingController?: string | undefined;
  /** reportingInstance is the ID of the controller instance, e.g. `kubelet-xyzf`. */
  reportingInstance?: string | undefined;
  /** series is data about the Event series this event represents or nil if it's a singleton Event. */
  series?: EventSeries | undefined;
  /** type is the type of this event (Normal, Warning), new types could be added in the future. */
  type?: string | undefined;
}
export const Event: Resource<Event> = /* @__PURE__ */ externalResource<Event>({ group: 'events.k8s.io', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' });

/** EventSeries contain information on series of events, i.e. thing that was/is happening continuously for some time. */
export interface EventSeries {
  /** count is the number of occurrences in this series up to the last heartbeat time. */
  count: Int32;
  /** lastObservedTime is the time when last Event from the series was seen before last heartbeat. */
  lastObservedTime: DateTime;
}

/** What a replica found a part of the service to be. */
export interface State<Value extends string = string> {
  value: Value
  /** When it became this, in ISO 8601, by the replica's clock. */
  since: string
  /** Why, where there is more to say. It never holds a secret. */
  reason?: string
}

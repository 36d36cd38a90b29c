/** An id names rows where they are listed. Only features are learned from. */
export const roles = ["feature", "target", "id", "group", "ignore"] as const;
export type Role = (typeof roles)[number];

/** What is learned of the features. */
export type Task = "classification" | "regression" | "clustering";

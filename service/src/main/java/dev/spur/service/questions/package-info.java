/**
 * Answers that change no state: why a job waits, which changes would start it, what-if plans, plans for a problem of
 * the caller, predicted starts and completions, and recommendations of node types and batch sizes.
 */
@NullMarked
package dev.spur.service.questions;

import org.jspecify.annotations.NullMarked;

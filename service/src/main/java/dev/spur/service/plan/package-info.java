/**
 * Published plans: their document, the difference between two of them, and the feed on which executors wait for the
 * next one. How a plan comes about is not known here.
 */
@NullMarked
package dev.spur.service.plan;

import org.jspecify.annotations.NullMarked;

/**
 * Published plans: their document, the difference between two plans, and the feed on which executors wait for the next
 * plan. Computation of plans belongs to other packages.
 */
@NullMarked
package dev.spur.service.plan;

import org.jspecify.annotations.NullMarked;

/**
 * REST controllers of resources that need several packages: jobs, job groups, aggregation, reservations, tokens and the
 * memory of nodes.
 */
@NullMarked
package dev.spur.service.api;

import org.jspecify.annotations.NullMarked;

/**
 * The shapes in which jobs run: configurations, and the devices and aggregation slots behind one. Why a job got its
 * shape is not said here.
 */
@NullMarked
package dev.spur.model.allocation;

import org.jspecify.annotations.NullMarked;

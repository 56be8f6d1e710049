/**
 * Configurations, and the devices and aggregation slots allocated to them. The reason for an allocation is part of the
 * explanation, not of this package.
 */
@NullMarked
package dev.spur.model.allocation;

import org.jspecify.annotations.NullMarked;

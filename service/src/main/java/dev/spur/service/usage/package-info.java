/** What tenants, users and labels have used, for reports. */
@NullMarked
package dev.spur.service.usage;

import org.jspecify.annotations.NullMarked;

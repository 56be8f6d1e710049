/** Memory of nodes, and what lenders revoke of it. Data preparations themselves are jobs. */
@NullMarked
package dev.spur.service.dataprep.api;

import org.jspecify.annotations.NullMarked;

/** ElasticFlow: deadlines that are admitted only if they can be kept (Gu et al., ASPLOS '23). */
@NullMarked
package dev.spur.policies.elasticflow;

import org.jspecify.annotations.NullMarked;

/* The last entry of the list is changed while others map it. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct scatterlist {
	unsigned long page_link;
	unsigned int offset, length;
	u64 dma_address;
	unsigned int dma_length;
};
void sg_init_one(struct scatterlist *list, const void *buffer, unsigned int n);
void sg_init_table(struct scatterlist *list, unsigned int n);
unsigned int dma_map_sg_attrs(struct device *dev, struct scatterlist *list, int n, int direction, unsigned long attributes);

struct port {
	struct mutex mapping, counting;
	int before;
	struct scatterlist one, many[4];
	int behind;
	struct device *dev;
	char *buffer;
};

void port_map(struct port *port)
{
	mutex_lock(&port->mapping);
	sg_init_one(&port->one, port->buffer, 8);
	sg_init_table(port->many, 4); // RACE!
	dma_map_sg_attrs(port->dev, &port->one, 1, 1, 0);
	dma_map_sg_attrs(port->dev, port->many, 4, 1, 0); // RACE!
	mutex_unlock(&port->mapping);
}
EXPORT_SYMBOL(port_map);

void port_count(struct port *port)
{
	mutex_lock(&port->counting);
	port->before++; // NORACE
	port->behind++; // NORACE
	port->many[3].dma_length = 0; // RACE!
	mutex_unlock(&port->counting);
}
EXPORT_SYMBOL(port_count);

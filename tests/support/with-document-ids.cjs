module.exports = () => ({ name: 'documents', documentIds: true });
